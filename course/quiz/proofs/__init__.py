"""Proofs: checks that run the fact behind an item and must come to the item's key by themselves.

A proof is a function that gets a `Sheet` (the item without its key) and the parameters of the item's `proof`, runs
something (the offline API, the harness, the improviser, a schema validator, an MCP server), and returns a response
as a learner would give it. `prove` grades that response: a key that is wrong, or flipped, fails. Items that are
graded by running (spot_block, repair_json, write_schema, faded_code) are proven without a `proof` of their own.
"""

from course.quiz.proofs.prove import Result, prove
from course.quiz.proofs.registry import Choice, ProofFailure, Sheet, agrees, proof, proofs, sheet

__all__ = ["Choice", "ProofFailure", "Result", "Sheet", "agrees", "proof", "proofs", "prove", "sheet"]
