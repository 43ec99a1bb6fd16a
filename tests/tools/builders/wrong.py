"""What checkers of types refuse: each line with a comment behind it, and no other."""

from datetime import timedelta

from gen._weave import builder as w
from gen.support.parts import Agents, Tools, Topics, Types

flow = w.workflow("refused", input={"ticket": Types.Ticket})
find = w.call(Tools.find_order, {"order_id": "A-17"})
lookup = flow.step("lookup").is_(do=find)
flow.end("done").is_(on=w.timed_out(lookup, timedelta(hours=1)))
w.ask(Agents.writer, {"question": "why?"})

w.call(Tools.find_orders, {})  # wrong: there is no such tool
w.emit(Topics.approval_request, {})  # wrong: there is no such topic
flow.end("other").is_(on=lookups)  # wrong: there is no such step
flow.end("named").is_(on=1)  # wrong: a number is no step
w.ask(Tools.find_order, {})  # wrong: a tool is no agent
w.workflow("other", input={"ticket": Types.Tickets})  # wrong: there is no such type
lookup.at("total").as_("money")  # wrong: there is no such type of values
w.retry(3, on=["unavailible"])  # wrong: nobody knows such a failure
flow.end("ended").is_(do=find)  # wrong: an end does nothing
flow.step("silent").is_()  # wrong: a step does something
