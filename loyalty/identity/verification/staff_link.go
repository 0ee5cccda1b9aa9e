package verification

import (
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/identity/seller"
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
func makeSellerLink(w *api.Writing) (linkView, error) {
	s, err := seller.FindToOpen(w.Tx, w.Caller, w.Store.Key, w.PathValue("seller"))
	u := ofSeller(&s)
	if err == nil && !u.mayReset {
		err = fault.ErrNotFound
	}
	if err != nil {
		return linkView{}, err
	}
	plain, err := issueTokenFor(w.Tx, u, reset, u.email, StaffLinkLife)
	return linkView{
		Path:      "/till/" + w.Store.Code + "/reset/" + plain,
		ExpiresAt: api.Timestamp(w.Tx.ServerNow().Add(StaffLinkLife), time.UTC),
	}, err
}
