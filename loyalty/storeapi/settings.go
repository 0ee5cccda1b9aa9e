package storeapi

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/branding"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
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

// sentSettings is a form of settings, with what else runs in the transaction that saves them.
type sentSettings struct {
	api.Guarded
	saved func(tx *db.Tx, s *store.Store) error
}

func (p *Parts) settings(client *outbound.Client) api.Input[sentSettings] {
	return api.Prepared(p.Guard.Body("settings", describeSettings(client)),
		func(c *api.Call, sent api.Guarded) (sentSettings, error) {
			saved, err := p.Save(c)
			return sentSettings{sent, saved}, err
		})
}

// changeSettings reads the form over the settings of the locked store, so that concurrent changes do not undo each
// other.
func changeSettings(client *outbound.Client) func(w *api.Writing, sent sentSettings) (settingsAnswer, error) {
	return func(w *api.Writing, sent sentSettings) (none settingsAnswer, err error) {
		s, err := store.Lock(w.Tx, w.Store.Key)
		if err != nil {
			return none, err
		}
		before, g := s.Settings, sent.Form()
		readSettings(g, client, &s.Settings)
		if err := g.Err(); err != nil {
			return none, err
		}
		if before.PointCost != s.Settings.PointCost {
			s.Settings.NotePointCost(calendar.DayOf(w.Tx.Now(), s.Zone))
		}
		w.Tx.AfterCommit(w.Stores().Forget)
		shown, err := settingsOf(w.Tx, s)
		if err != nil {
			return none, err
		}
		if err := store.Update(w.Tx, s); err != nil {
			return none, err
		}
		if moved := movedLinks(&before, &s.Settings); len(moved) > 0 {
			if err := sent.Confirm(w.Tx, moved...); err != nil {
				return none, err
			}
		}
		return shown, sent.saved(w.Tx, s)
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
