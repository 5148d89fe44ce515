# SPDX-License-Identifier: BSD-3-Clause
"""A coupled run as one page: `snapshot` what it has left so far, `page` the page with it, `server` the same
page while the run goes on."""

from isthmus.live.page import page
from isthmus.live.server import LivePage
from isthmus.live.snapshot import Snapshots

__all__ = ["LivePage", "Snapshots", "page"]
