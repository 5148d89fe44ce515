# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a coupled run, as PNG files: `pictures` of meshes and fields, `timeline` of the phases, `heat`
of the strongly coupled demo."""

from isthmus.plot.heat import heat_pictures
from isthmus.plot.pictures import error_picture, field_picture, partition_picture
from isthmus.plot.timeline import timeline_picture

__all__ = ["error_picture", "field_picture", "heat_pictures", "partition_picture", "timeline_picture"]
