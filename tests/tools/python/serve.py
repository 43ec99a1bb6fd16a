"""Carries out the tools of the examples `support.weave` and `onboarding.weave` for workflow runs: `uvicorn serve:app`."""

from __future__ import annotations

import asyncio
from typing import Never

from gen import _weave as w
from gen.onboarding import codecs as onboarding_codecs
from gen.onboarding import errors as onboarding_errors
from gen.onboarding import tools as onboarding
from gen.onboarding import types as onboarding_types
from gen.shop import codecs as shop
from gen.shop.types import Order
from gen.support import tools as support
from gen.support import types as support_types

CUSTOMER = {
    "id": "123e4567-e89b-12d3-a456-426614174000",
    "name": "Ada",
    "email": "ada@example.com",
    "since": "2026-01-01",
}
LINE = {"sku": "AB-1", "title": "Tea", "quantity": 1, "price": "12.50"}


class Desk:
    """The tools of `support.weave`."""

    async def find_order(self, input: support_types.FindOrderInput, context: w.ToolContext[Never, Never]) -> Order:
        order = {"id": input.order_id, "customer": CUSTOMER, "lines": [LINE], "total": "12.50"}
        return shop.Order.decode({**order, "placed_at": "2026-11-22T09:00:00Z"})

    async def refund(
        self, input: support_types.RefundInput, context: w.ToolContext[Never, Never]
    ) -> support_types.RefundOutput:
        return support_types.RefundOutput(refund_id=f"r_{input.amount}")

    async def remember(self, input: support_types.RememberInput, context: w.ToolContext[Never, Never]) -> None:
        return None


class Accounts:
    """The tools of `onboarding.weave`."""

    async def create_account(
        self,
        input: onboarding_types.CreateAccountInput,
        context: w.ToolContext[onboarding_types.CreateAccountProgress, Never],
    ) -> onboarding_types.Account:
        for percent in (0, 50):
            context.emit(onboarding_types.CreateAccountProgress(percent=percent))
            await asyncio.sleep(0)
        if input.login.startswith("taken"):
            taken = onboarding_types.LoginTaken(login=input.login, suggestions=["ada-2"])
            raise onboarding_errors.LoginTaken(taken)
        made = {"system": input.system, "login": input.login, "created_at": "2026-11-22T09:00:00Z"}
        return onboarding_codecs.Account.decode(made)


app = w.asgi_apps({"/support": support.all_tools(Desk()), "/onboarding": onboarding.all_tools(Accounts())})
