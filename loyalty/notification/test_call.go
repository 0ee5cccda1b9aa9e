package notification

import (
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// testResult is the outcome of a call that tests the gateway.
type testResult struct {
	PushID    string `json:"pushId"`
	Delivered bool   `json:"delivered"`
	Status    int    `json:"status"` // 0 without a response
	Error     string `json:"error,omitempty"`
}

// testGateway calls the gateway of a store at once, also one that is switched off. No push is stored.
func (d desk) testGateway(c *api.Call) (testResult, error) {
	var g Gateway
	err := c.Read(func(tx *db.Tx) (err error) {
		found := false
		if g, found, err = findGateway(tx, c.Store.Key); err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	if err != nil {
		return testResult{}, err
	}
	id := "test_" + db.NewID()
	empty := gatewayCall{PushID: id, StoreCode: c.Store.Code, Notifications: []sent{}}
	o := call(c.Context(), c.DB().Now(), d.client, &g, empty)
	return testResult{PushID: id, Delivered: o.OK(), Status: o.Status, Error: o.Problem}, nil
}
