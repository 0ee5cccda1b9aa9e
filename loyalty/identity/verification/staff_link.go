package verification

import (
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// StaffLinkLife is how long a link that is handed over is valid.
const StaffLinkLife = 24 * time.Hour

// linkView is a link to the page where a user chooses a password, to be handed over in any way.
type linkView struct {
	Path      string `json:"path"` // on this server
	ExpiresAt string `json:"expiresAt"`
}

// makeSellerLink makes a link by which a seller chooses a password. It is for one use, and needs no message.
func makeSellerLink(c *api.Call) error {
	var response linkView
	return c.Write(func(tx *db.Tx) error {
		s, err := seller.FindToOpen(tx, c.Caller, c.Store.Key, c.PathValue("seller"))
		u := ofSeller(&s)
		if err == nil && !u.mayReset {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		plain, err := issueTokenFor(tx, u, reset, u.email, StaffLinkLife)
		response = linkView{
			Path:      "/till/" + c.Store.Code + "/reset/" + plain,
			ExpiresAt: api.Timestamp(tx.ServerNow().Add(StaffLinkLife), time.UTC),
		}
		return err
	}, func() error { return c.OK(response) })
}
