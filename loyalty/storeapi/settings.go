package storeapi

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/branding"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// settingsView shows the currency and all settings, without secrets. It shows whether the secret of callbacks is set.
type settingsView struct {
	Currency string `json:"currency"`
	store.Settings
	ActivationMethod       string `json:"accountActivationMethod"` // older clients read CommunicationMethod by this name
	CashbackCallbackSigned bool   `json:"cashbackCallbackSigned,omitempty"`
	branding.Shown
}

type settingsAnswer struct {
	Settings settingsView `json:"settings"`
}

func settingsOf(tx *db.Tx, s *store.Store) (settingsAnswer, error) {
	shown, err := branding.Show(tx, s)
	view := settingsView{
		Currency: s.Currency, Settings: s.Settings, ActivationMethod: s.Settings.CommunicationMethod,
		CashbackCallbackSigned: s.Settings.CashbackCallbackSecret != "", Shown: shown,
	}
	view.CashbackCallbackSecret, view.CashbackProviderSecret = "", ""
	return settingsAnswer{view}, err
}

// showSettings reads the store from the database, so that changes on other nodes show at once.
func showSettings(r *api.Reading) (settingsAnswer, error) {
	s, found, err := store.ByCode(r.Tx, r.Store.Code)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return settingsAnswer{}, err
	}
	return settingsOf(r.Tx, s)
}

// changeSettings reads the form over the settings of the locked store, so that concurrent changes do not undo each
// other.
func changeSettings(client *outbound.Client, parts Parts) func(c *api.Call) error {
	return func(c *api.Call) error {
		body, err := c.Body()
		if err != nil {
			return err
		}
		saved, err := parts.Save(c)
		if err != nil {
			return err
		}
		confirm, err := parts.Guard(c, form.Read(body, "settings"))
		if err != nil {
			return err
		}
		var response settingsAnswer
		return c.Write(func(tx *db.Tx) error {
			s, err := store.Lock(tx, c.Store.Key)
			if err != nil {
				return err
			}
			before := s.Settings
			group := form.Read(body, "settings")
			readSettings(group, client, &s.Settings)
			if err := group.Err(); err != nil {
				return err
			}
			if before.PointCost != s.Settings.PointCost {
				s.Settings.NotePointCost(calendar.DayOf(tx.Now(), s.Zone))
			}
			tx.AfterCommit(c.Stores().Forget)
			if response, err = settingsOf(tx, s); err != nil {
				return err
			}
			if err := store.Update(tx, s); err != nil {
				return err
			}
			if moved := movedLinks(&before, &s.Settings); len(moved) > 0 {
				if err := confirm(tx, moved...); err != nil {
					return err
				}
			}
			return saved(tx, s)
		}, func() error { return c.OK(response) })
	}
}

// movedLinks names the settings that make links in messages lead elsewhere than before.
func movedLinks(before, after *store.Settings) (names []string) {
	if before.PublicURL != after.PublicURL {
		names = append(names, "settings[publicUrl]")
	}
	if before.MessageLinksURL != after.MessageLinksURL {
		names = append(names, "settings[messageLinksUrl]")
	}
	return names
}

func showPublicSettings(c *api.Call) (publicAnswer, error) {
	return publicAnswer{publicSettings{c.Store.Settings.AllowsProfileEditing}}, nil
}

type publicAnswer struct {
	Settings publicSettings `json:"settings"`
}

type publicSettings struct {
	AllowsProfileEditing bool `json:"allowCustomersProfileEdits"`
}

func showActivation(c *api.Call) (activation, error) {
	return activation{c.Store.Settings.CommunicationMethod, c.Store.Settings.AccountActivationNeeded}, nil
}

type activation struct {
	Method   string `json:"method"`
	Required bool   `json:"required"`
}

// showActivationMethod is the older form of showActivation.
func showActivationMethod(c *api.Call) (activationMethod, error) {
	return activationMethod{c.Store.Settings.CommunicationMethod}, nil
}

type activationMethod struct {
	Method string `json:"method"`
}
