package health

import (
	"net/http"
	"time"

	"punchcard/platform/fault"
	"punchcard/platform/web"
)

var errStarting = fault.New(fault.Unavailable, "starting", "").After(time.Second)

// StartingRoutes are the routes of a server that is starting. All paths but /livez respond with 503.
func StartingRoutes() []web.Route {
	refuse := func(*web.Request) error { return errStarting }
	routes := []web.Route{
		{Method: http.MethodGet, Path: "/livez", Handle: func(r *web.Request) error {
			return r.JSON(http.StatusOK, liveness{Live: true})
		}},
		{Method: http.MethodGet, Path: "/readyz", Handle: func(r *web.Request) error {
			r.ResponseHeader()["Retry-After"] = []string{"1"}
			return r.JSON(http.StatusServiceUnavailable, readiness{Reason: "starting"})
		}},
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		routes = append(routes, web.Route{Method: method, Path: "/{path...}", Handle: refuse})
	}
	return routes
}
