"""Room 1, the offline Messages API: the rules, the answers and the wire of the real one, without a network.

`OfflineAPI(model).respond(Request)` is the whole of it, without I/O. `transport.client(api)` puts it behind the
real SDK, `server.serve(api)` behind a port on loopback.
"""

from course.api.faults import Faults
from course.api.ids import Ids
from course.api.offline import OfflineAPI
from course.api.wire import Request, Response, Stream, StreamCut

__all__ = ["Faults", "Ids", "OfflineAPI", "Request", "Response", "Stream", "StreamCut"]
