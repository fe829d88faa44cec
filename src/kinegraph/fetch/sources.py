"""Where clips come from: the only table of addresses.

If a source moves, change its address here, or override it with an argument or an environment variable.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kinegraph.errors import FetchRequestError


@dataclass(frozen=True)
class Collection:
    """A collection of clips on the web."""

    title: str
    """What people call it."""
    address: str
    """The folder that contains the subjects' folders."""
    variable: str
    """The environment variable that can give another address."""
    acknowledgement: str
    """The words that its owners ask users to publish with their results."""

    def base(self, given: str | None = None) -> str:
        """The address to use, without a slash at its end: the given one, or else the environment's, or else the table's."""
        address = (given or os.environ.get(self.variable) or self.address).rstrip("/")
        if not address.lower().startswith(("http://", "https://")):
            raise FetchRequestError(
                f"{address!r} is no address to download from: it should begin with http:// or https:// "
                f"(it comes from {'base_url, --from on the command line' if given else 'the variable ' + self.variable})"
            )
        return address


SOURCES: Mapping[str, Collection] = MappingProxyType(
    {
        "cmu": Collection(
            title="CMU Graphics Lab Motion Capture Database",
            address="http://mocap.cs.cmu.edu/subjects",
            variable="KINEGRAPH_CMU_URL",
            acknowledgement=(
                "The data used in this project was obtained from mocap.cs.cmu.edu. "
                "The database was created with funding from NSF EIA-0196217."
            ),
        ),
    }
)
