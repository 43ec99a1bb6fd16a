"""Records that may have more than their fields.

Annotations are evaluated here, not kept as text: pydantic 2.12 would look up the names in them where a subclass stands.
"""

from pydantic import ConfigDict, Field

from .model import Model
from .scalars import Json


class OpenModel(Model):
    """A record that may have more than its fields: `model_extra`, by the names in JSON."""

    model_config = ConfigDict(extra="allow")

    __pydantic_extra__: dict[str, Json] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]
