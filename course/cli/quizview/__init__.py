"""Terminal views over the quiz: show a question, read an answer, run a session, sit an exam, show progress."""
