"""A client that plays prepared messages and keeps the requests it got."""

import copy
from types import SimpleNamespace


class FakeClient:
    """`messages.create` gives the prepared messages one after the other; an exception among them is raised."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.messages = SimpleNamespace(create=self.create)

    def create(self, **request):
        self.requests.append(copy.deepcopy(request))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class AsyncFakeClient(FakeClient):
    """The same, to be awaited."""

    async def create(self, **request):
        return super().create(**request)


def text(words):
    return {"type": "text", "text": words}


def call(id, name, **input):
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def message(*blocks, stop="tool_use"):
    return {"type": "message", "role": "assistant", "content": list(blocks), "stop_reason": stop}


def final(words="Done."):
    return message(text(words), stop="end_turn")
