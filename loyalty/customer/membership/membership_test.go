package membership

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customertest"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// shop is a shop that changes points.
type shop struct{ *customertest.Shop }

// newPointsShop is a shop whose levels are measured by points.
func newPointsShop(t *testing.T, d *db.DB, mode, base string) *shop {
	t.Helper()
	s := &shop{customertest.NewShop(t, d, "SHOP")}
	settings := &s.Store.Settings
	settings.TierAssignType, settings.LevelDowngradeMode, settings.LevelDowngradeBase = store.TierPoints, mode, base
	settings.LevelDowngradeDays = 30
	s.saveSettings()
	return s
}

// saveSettings stores the settings, for jobs, which read them.
func (s *shop) saveSettings() {
	s.Helper()
	text, err := json.Marshal(s.Store.Settings)
	if err != nil {
		s.Fatal(err)
	}
	s.Write(func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE stores SET settings = $2 WHERE store_id = $1`, s.Store.Key, string(text))
		return err
	})
}

// standing returns the name of a customer's level, with a star if it was set by hand.
func (s *shop) standing(id string) string {
	s.Helper()
	c := s.Find(id)
	name := map[string]string{s.Bronze: "bronze", s.Gold: "gold", s.Secret: "secret", "": "none"}[c.LevelID]
	if c.ManualLevelID != "" {
		name += "*"
		if c.ManualLevelID != c.LevelID {
			s.Errorf("in %s, by hand %s", c.LevelID, c.ManualLevelID)
		}
	}
	return name
}

// change changes a customer's points and checks the level.
func (s *shop) change(id string, decide func(w *points.Wallet) (event.Entry, error)) {
	s.Helper()
	s.Write(func(tx *db.Tx) error { return Change(tx, s.Store, id, decide) })
}

func (s *shop) grant(id string, whole int64) (transferID string) {
	s.Helper()
	s.change(id, func(w *points.Wallet) (event.Entry, error) {
		t, entry := w.Add(points.Grant{
			Value: decimal.Whole(whole), Issuer: points.ByAdmin, ValidDays: 10, CreatedAt: s.DB.Now(),
		})
		transferID = t.ID
		return entry, nil
	})
	return transferID
}

func (s *shop) cancel(id, transferID string) {
	s.Helper()
	s.change(id, func(w *points.Wallet) (event.Entry, error) {
		t, err := w.Transfer(transferID)
		if err != nil {
			return event.Entry{}, err
		}
		return w.Cancel(t)
	})
}

func (s *shop) spend(id string, whole int64) {
	s.Helper()
	s.change(id, func(w *points.Wallet) (event.Entry, error) {
		_, entry, err := w.Spend(decimal.Whole(whole), "", points.BySystem)
		return entry, err
	})
}

func TestPointsMoveLevelsAsTheModeSays(t *testing.T) {
	const none, atOnce, afterDays = store.DowngradeNever, store.DowngradeAtOnce, store.DowngradeAfterDays
	for _, c := range []struct {
		name, mode, base string
		spent, canceled  string // the levels after points were spent, and after they were cancelled
	}{
		{"nobody falls", none, "", "gold", "gold"},
		{"falls at once, but not by spending", atOnce, "", "gold", "bronze"},
		{"falls after days, by earned points", afterDays, store.BaseEarnedPoints, "gold", "gold"},
		{"falls after days, by active points", afterDays, store.BaseActivePoints, "gold", "gold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
				s := newPointsShop(t, d, c.mode, c.base)
				id := s.Register(customertest.Ida()).ID
				s.grant(id, 499)
				if got := s.standing(id); got != "bronze" {
					t.Errorf("with 499 points: %s", got)
				}
				last := s.grant(id, 1)
				if got := s.standing(id); got != "gold" {
					t.Errorf("with 500 points: %s", got)
				}
				s.spend(id, 300)
				if got := s.standing(id); got != c.spent {
					t.Errorf("after spending: %s, want %s", got, c.spent)
				}
				s.cancel(id, last)
				if got := s.standing(id); got != c.canceled {
					t.Errorf("after a cancel: %s, want %s", got, c.canceled)
				}
			})
		})
	}
}

func TestPointsTakenByReturnsCountForNoLevel(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newPointsShop(t, d, store.DowngradeAtOnce, "")
		id := s.Register(customertest.Ida()).ID
		s.grant(id, 500)
		s.Write(func(tx *db.Tx) error {
			c, err := customer.LockRow(tx, s.Store.Key, id)
			if err != nil {
				return err
			}
			c.Purchases.PointsTakenBack = decimal.Whole(1)
			return customer.SavePurchases(tx, c)
		})
		s.spend(id, 1)
		if got := s.standing(id); got != "bronze" {
			t.Errorf("with 500 points earned and 1 taken back: %s", got)
		}
	})
}

// byHand sets a customer's level, or releases it when none is named.
func (s *shop) byHand(id, levelID string) error {
	return s.Locked(id, func(tx *db.Tx, c *customer.Customer, account points.Account) error {
		if levelID == "" {
			return ReleaseLevel(tx, s.Store, c, account)
		}
		return customer.SetLevel(tx, s.Store, c, levelID)
	})
}

// moves describes the moves between levels that are recorded from an event number on, and how many events there were.
func (s *shop) moves(from int64) (text string, events int64) {
	s.Helper()
	all, _, err := event.List(s.Context(), s.DB, from, 10, false)
	if err != nil {
		s.Fatal(err)
	}
	var moves []string
	for _, e := range all {
		var move struct {
			LevelID, OldLevelID           struct{ LevelID string }
			Manually, RemoveLevelManually bool
		}
		if err := json.Unmarshal(e.Payload, &move); err != nil {
			s.Fatal(err)
		}
		if !strings.HasSuffix(e.Type, "CustomerWasMovedToLevel") {
			continue
		}
		names := map[string]string{s.Bronze: "bronze", s.Gold: "gold"}
		text := names[move.OldLevelID.LevelID] + ">" + names[move.LevelID.LevelID]
		if move.Manually {
			text += " manually"
		}
		if move.RemoveLevelManually {
			text += " removed"
		}
		moves = append(moves, text)
	}
	return strings.Join(moves, ", "), int64(len(all))
}

func TestLevelByHand(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newPointsShop(t, d, store.DowngradeNever, "")
		first := s.Register(customertest.Ida()).ID
		second := s.Register(customer.Registration{LevelID: s.Gold, Active: true}).ID
		next := int64(len(s.Events(1)) + 1)
		for _, step := range []struct {
			name, of string
			points   int64  // that are given, or
			level    string // that is set by hand; none to release it
			standing string
			moves    string
			members  [3]int64
		}{
			{"set", first, 0, s.Gold, "gold*", "bronze>gold manually", [3]int64{0, 2, 0}},
			{"points below it", first, 10, "", "gold*", "", [3]int64{0, 2, 0}},
			{"set again", first, 0, s.Gold, "gold*", "gold>gold manually", [3]int64{0, 2, 0}},
			{"set down", first, 0, s.Bronze, "bronze*", "gold>bronze manually", [3]int64{1, 1, 0}},
			{"points lift above it", first, 490, "", "gold", "bronze>gold", [3]int64{0, 2, 0}},
			{"set to the current level", first, 0, s.Gold, "gold*", "gold>gold manually", [3]int64{0, 2, 0}},
			{"released, and deserved", first, 0, "", "gold", "gold>gold removed", [3]int64{0, 2, 0}},
			{"released, and not deserved", second, 0, "", "bronze", "gold>bronze removed", [3]int64{1, 1, 0}},
		} {
			if step.points > 0 {
				s.grant(step.of, step.points)
			} else if err := s.byHand(step.of, step.level); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			moves, events := s.moves(next)
			next += events
			if moves != step.moves || s.standing(step.of) != step.standing || s.Members() != step.members {
				t.Errorf("%s: %q in %s, levels %v", step.name, moves, s.standing(step.of), s.Members())
			}
		}
	})
}

func TestLevelByHandIsRefused(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := &shop{customertest.NewShop(t, d, "SHOP")}, customertest.NewShop(t, d, "OTHER")
		id := s.Register(customertest.Ida()).ID
		for _, unknown := range []string{s.Secret, elsewhere.Gold, db.NewID()} {
			if err := s.byHand(id, unknown); !errors.Is(err, customer.ErrUnknownLevel) {
				t.Errorf("level %q: %v", unknown, err)
			}
		}
		if err := s.byHand(id, ""); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("releasing a level that was earned: %v", err)
		}
	})
}

// ofDays is a customer who earned 600 points on the first day, under levels that are recalculated every 30 days.
type ofDays struct {
	name   string
	base   string
	reset  bool
	byHand bool // the level was set by hand
	spent  int64
	levels map[int]string // on which day
	events string         // on day 30
	points int64          // on day 30
}

func TestLevelsAreRecalculatedAfterDays(t *testing.T) {
	const recalculated = "CustomerLevelWasRecalculated"
	for _, c := range []ofDays{
		{"earned points", store.BaseEarnedPoints, false, false, 600,
			map[int]string{0: "gold", 29: "gold", 30: "gold", 59: "gold", 60: "bronze"}, recalculated, 0},
		{"active points", store.BaseActivePoints, false, false, 200,
			map[int]string{0: "gold", 29: "gold", 30: "bronze", 60: "bronze"}, recalculated + " CustomerWasMovedToLevel", 400},
		{"active points that suffice, and are lost", store.BaseActivePoints, true, false, 0,
			map[int]string{0: "gold", 29: "gold", 30: "gold", 60: "bronze"}, recalculated + " PointsHasBeenReset", 0},
		{"active points, and lost", store.BaseActivePoints, true, false, 200,
			map[int]string{30: "bronze", 60: "bronze"}, recalculated + " CustomerWasMovedToLevel PointsHasBeenReset", 0},
		{"never below a level set by hand", store.BaseActivePoints, false, true, 200,
			map[int]string{0: "gold*", 30: "gold*", 60: "gold*"}, recalculated, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, engine := range dbtest.EnginesOf(t) {
				t.Run(engine, func(t *testing.T) { c.run(t, engine) })
			}
		})
	}
}

func (c *ofDays) run(t *testing.T, engine string) {
	at := customertest.Now
	d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return at })
	s := newPointsShop(t, d, store.DowngradeAfterDays, c.base)
	s.Store.Settings.LevelResetPoints, s.Store.Settings.PointsDaysExpiryAfter = c.reset, store.ExpiryNever
	s.saveSettings()
	id := s.Register(customertest.Ida()).ID
	s.change(id, func(w *points.Wallet) (event.Entry, error) {
		_, entry := w.Add(points.Grant{Value: decimal.Whole(600), Issuer: points.ByAdmin, CreatedAt: d.Now()})
		return entry, nil
	})
	if c.byHand {
		if err := s.byHand(id, s.Gold); err != nil {
			t.Fatal(err)
		}
	}
	if c.spent > 0 {
		s.spend(id, c.spent)
	}
	for day := range 61 {
		at = customertest.Now.Add(time.Duration(day) * 24 * time.Hour)
		before := int64(len(s.Events(1)))
		if _, err := store.Everywhere(d, RecheckLevels)(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want, known := c.levels[day]; known && s.standing(id) != want {
			t.Errorf("on day %d: %s, want %s", day, s.standing(id), want)
		}
		var types []string
		for _, name := range s.Events(before + 1) {
			types = append(types, name[strings.LastIndex(name, ".")+1:])
		}
		if got := strings.Join(types, " "); day == 30 && got != c.events || day%30 != 0 && got != "" {
			t.Errorf("events on day %d: %q", day, got)
		}
		if left := s.balance(id).Points; day == 30 && left != decimal.Whole(c.points) {
			t.Errorf("left are %v points", left)
		}
	}
}

func (s *shop) balance(id string) (account points.Account) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		account, err = points.Balance(tx, s.Store, id)
		return err
	})
	return account
}

// Every move begins a new count of earned points.
func TestEarnedSinceTheLastMove(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			at := customertest.Now
			d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return at })
			s := newPointsShop(t, d, store.DowngradeAfterDays, store.BaseEarnedSinceChange)
			id := s.Register(customertest.Ida()).ID
			s.grant(id, 500)
			if c := s.Find(id); s.standing(id) != "gold" || !c.LevelRecalculatedAt.Equal(customertest.Now) {
				t.Errorf("%s, recalculated at %s", s.standing(id), c.LevelRecalculatedAt)
			}
			at = customertest.Now.Add(29 * 24 * time.Hour)
			for _, step := range []struct {
				days int
				want string
			}{{29, "gold"}, {30, "bronze"}} {
				at = customertest.Now.Add(time.Duration(step.days) * 24 * time.Hour)
				if done, err := store.Everywhere(d, RecheckLevels)(t.Context()); err != nil || (done == 1) != (step.days == 30) {
					t.Errorf("%d done, %v", done, err)
				}
				if got := s.standing(id); got != step.want {
					t.Errorf("on day %d: %s", step.days, got)
				}
			}
		})
	}
}

func TestOnlyTheDueAreRecalculated(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newPointsShop(t, d, store.DowngradeAfterDays, store.BaseActivePoints)
		newcomer := s.Register(customer.Registration{Active: true, LevelID: s.Gold})
		waiting := s.Register(customer.Registration{CreatedAt: customertest.Now.AddDate(0, -2, 0), LevelID: s.Gold})
		var due []string
		for range 2*batchSize + 1 { // more than one batch
			due = append(due, s.Register(customer.Registration{Active: true, CreatedAt: customertest.Now.AddDate(0, -2, 0)}).ID)
		}
		done, err := store.Everywhere(d, RecheckLevels)(t.Context())
		if err != nil || done != int64(len(due)) {
			t.Errorf("%d done, %v", done, err)
		}
		for _, id := range due {
			if c := s.Find(id); !c.LevelRecalculatedAt.Equal(customertest.Now) {
				t.Fatalf("%s was recalculated at %s", id, c.LevelRecalculatedAt)
			}
		}
		for _, c := range []*customer.Customer{newcomer, waiting} {
			if !s.Find(c.ID).LevelRecalculatedAt.IsZero() {
				t.Errorf("%s was recalculated", c.Status)
			}
		}
		for _, settings := range []store.Settings{
			{TierAssignType: store.TierTransactions, LevelDowngradeMode: store.DowngradeAfterDays, LevelDowngradeDays: 1},
			{TierAssignType: store.TierPoints, LevelDowngradeMode: store.DowngradeAtOnce, LevelDowngradeDays: 1},
			{TierAssignType: store.TierPoints, LevelDowngradeMode: store.DowngradeAfterDays},
		} {
			settings.Timezone = "UTC"
			s.Store.Settings = settings
			s.saveSettings()
			if done, err := store.Everywhere(d, RecheckLevels)(t.Context()); done != 0 || err != nil {
				t.Errorf("%+v: %d done, %v", settings, done, err)
			}
		}
	})
}

func TestDeletedLevelLosesItsCustomers(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := &shop{customertest.NewShop(t, d, "SHOP")}
		const crowd = 2*batchSize + 7
		for range crowd {
			s.Register(customer.Registration{LevelID: s.Gold})
		}
		stays := s.Register(customertest.Ida()).ID
		s.Write(func(tx *db.Tx) error { return DeleteLevel(tx, s.Store, s.Gold) })
		if got := s.Members(); got != [3]int64{batchSize + 1, crowd - batchSize, 0} {
			t.Errorf("after the deletion the levels have %v", got)
		}
		if done, err := store.Everywhere(d, RecheckLevels)(t.Context()); err != nil || done != crowd-batchSize {
			t.Errorf("the job moved %d, %v", done, err)
		}
		if got := s.Members(); got != [3]int64{crowd + 1, 0, 0} || s.standing(stays) != "bronze" {
			t.Errorf("after the job the levels have %v", got)
		}
		if done, err := store.Everywhere(d, RecheckLevels)(t.Context()); err != nil || done != 0 {
			t.Errorf("the job moved %d once more, %v", done, err)
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error { return DeleteLevel(tx, s.Store, s.Bronze) })
		if !errors.Is(err, level.ErrLastStart) {
			t.Errorf("deleting the last level to start in: %v", err)
		}
		for _, id := range []string{s.Gold, db.NewID()} {
			err := d.Write(t.Context(), func(tx *db.Tx) error { return DeleteLevel(tx, s.Store, id) })
			if !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("deleting what is not there: %v", err)
			}
		}
	})
}

func TestPointsThatAreDueAreSettled(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			at := customertest.Now
			d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return at })
			s := newPointsShop(t, d, store.DowngradeAtOnce, "")
			s.Store.Settings.AllTimeNotLocked, s.Store.Settings.PointsDaysLocked = false, 5
			s.saveSettings()
			var crowd []string
			for range batchSize + 3 {
				crowd = append(crowd, s.Register(customer.Registration{Active: true}).ID)
			}
			for _, id := range crowd {
				s.grant(id, 500)
			}
			run := func(want int64) {
				t.Helper()
				if done, err := store.Everywhere(d, SettlePoints)(t.Context()); err != nil || done != want {
					t.Errorf("on %s: %d accounts, %v, want %d", at, done, err, want)
				}
			}
			run(0)
			at = customertest.Now.AddDate(0, 0, 5)
			run(int64(len(crowd)))
			run(0)
			for _, id := range crowd { // unlocked points raise the level
				if got := s.standing(id); got != "gold" {
					t.Fatalf("%s is in %s", id, got)
				}
			}
			at = customertest.Now.AddDate(0, 0, 16)
			run(int64(len(crowd)))
			var unlocked, expired int
			all, _, err := event.List(t.Context(), d, 1, 10_000, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range all {
				unlocked += strings.Count(e.Type, "PointsTransferHasBeenUnlocked")
				expired += strings.Count(e.Type, "PointsTransferHasBeenExpired")
			}
			if unlocked != len(crowd) || expired != len(crowd) {
				t.Errorf("%d unlocked and %d expired of %d", unlocked, expired, len(crowd))
			}
			if left := s.balance(crowd[0]); left.Points != 0 || left.Expired != decimal.Whole(500) {
				t.Errorf("left is %+v", left)
			}
		})
	}
}
