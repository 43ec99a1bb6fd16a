from datetime import timedelta

from gen._weave import builder as w
from gen._weave.topics import Topics as BuiltIn
from gen.support.parts import Agents, Errors, Tools, Topics, Types, Workflows
from gen.support.prompts import PromptName
from gen.support.workflows import SupportNode

flow = w.workflow("mistakes", input={"ticket": Types.Ticket})
lookup = flow.step("lookup").is_(do=w.wait(timedelta(seconds=1)))


def seen(node: SupportNode, *prompts: PromptName) -> None:
    print(node, prompts)


# here
