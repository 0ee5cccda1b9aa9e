package points

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"punchcard/platform/check"
	"punchcard/platform/counter"
	"punchcard/platform/db"
)

// The tables that rows of other packages refer to.
var (
	// Accounts holds one account of each customer.
	Accounts = check.Table{Name: "accounts", ID: "customer_id"}
	// Transfers is the ledger.
	Transfers = check.Table{Name: "transfers", ID: "transfer_id"}
)

// SpendsQuery selects store_id, transfer_id, customer_id, value and state of the transfers that can pay for a purchase.
const SpendsQuery = `SELECT store_id, transfer_id, customer_id, value, state FROM transfers WHERE type = 'spending'`

// BoughtQuery selects store_id, customer_id, campaign_id and bought, the stored numbers of purchases.
const BoughtQuery = `SELECT store_id, customer_id, campaign_id, bought FROM purchase_counts`

// SumsQuery selects store_id, customer_id, held, the points of an account, and past, which is 0 for an account without
// a history.
const SumsQuery = `SELECT store_id, customer_id, points + locked + blocked AS held,
	ABS(earned) + ABS(used) + ABS(expired) AS past FROM accounts`

// Rules returns the invariants of the ledger.
func Rules() []check.Rule {
	return []check.Rule{
		check.Fold("points.ledger", checkLedger),
		check.Equal("points.transfers", counter.Totals(counterNames()...),
			`SELECT store_id, '`+counterPrefix+`' || type AS id, COUNT(*) AS total FROM transfers GROUP BY store_id, type`),
		check.Equal("points.gifts",
			`SELECT store_id, other_customer_id AS id, SUM(value) AS total FROM transfers
				WHERE type = 'p2p_adding' GROUP BY store_id, other_customer_id`,
			`SELECT store_id, customer_id AS id, SUM(value) AS total FROM transfers
				WHERE type = 'p2p_spending' GROUP BY store_id, customer_id`),
		check.Equal("points.merges",
			`SELECT store_id, other_customer_id AS id, SUM(value) AS total FROM transfers
				WHERE type = 'merge_adding' GROUP BY store_id, other_customer_id`,
			`SELECT store_id, customer_id AS id, SUM(value) AS total FROM transfers
				WHERE type = 'merge_spending' GROUP BY store_id, customer_id`),
		check.Rows("points.carried", `SELECT store_id, '', CAST(SUM(carried_earned) AS VARCHAR) || ', ' ||
			CAST(SUM(carried_used) AS VARCHAR) || ', ' || CAST(SUM(carried_expired) AS VARCHAR) || ' in all', '0'
			FROM accounts GROUP BY store_id
			HAVING SUM(carried_earned) <> 0 OR SUM(carried_used) <> 0 OR SUM(carried_expired) <> 0`),
		check.Rows("points.earned_once", `SELECT store_id, transaction_id, COUNT(DISTINCT customer_id), 1 FROM transfers
			WHERE transaction_id <> '' AND type = 'adding' GROUP BY store_id, transaction_id
			HAVING COUNT(DISTINCT customer_id) > 1`),
	}
}

// ledgerRow is an account, or one of the transfers that follow it.
type ledgerRow struct {
	Account
	t                 Transfer
	open, taken, held string // JSON
	carried           History
}

func (r *ledgerRow) columns() []any {
	return []any{
		&r.StoreKey, &r.CustomerID, &r.t.ID, &r.Points, &r.P2P, &r.Earned, &r.Used, &r.Expired, &r.Locked, &r.Blocked,
		db.Time(&r.NextDueAt), &r.open, &r.Transfers, &r.LastTransferID, &r.t.PreviousID, &r.t.Type, &r.t.State,
		&r.t.Value, &r.t.Open, &r.t.Lapsed, db.Time(&r.t.ExpiresAt), db.Time(&r.t.LockedUntil), &r.taken,
		&r.carried.Earned, &r.carried.Used, &r.carried.Expired, &r.held,
	}
}

// ledgerQuery reads every account, followed by its transfers. The database sorts, so that only one customer at a
// time is in memory.
const ledgerQuery = `
	SELECT store_id, customer_id, '' AS id, points, p2p, earned, used, expired, locked, blocked, next_due_at, lots,
		transfers, last_transfer_id, '', '', '', 0, FALSE, 0, NULL, NULL, '', carried_earned,
		carried_used, carried_expired, holds FROM accounts
	UNION ALL SELECT store_id, customer_id, transfer_id, 0, 0, 0, 0, 0, 0, 0, NULL, '',
		0, '', previous_id, type, state, value, is_open, lapsed, expires_at, locked_until, lots,
		0, 0, 0, '' FROM transfers
	ORDER BY 1, 2, 3`

// checkLedger compares each account with its transfers.
func checkLedger(tx *db.Tx, found func(store int64, id, is, want string)) error {
	var l *ledger
	end := func() {
		if l != nil {
			l.check()
		}
	}
	err := db.Each(tx, (*ledgerRow).columns, func(r ledgerRow) {
		if l == nil || l.StoreKey != r.StoreKey || l.CustomerID != r.CustomerID {
			end()
			l = &ledger{Account: r.Account, carried: r.carried, transfers: map[string]*Transfer{}, now: tx.Now()}
			l.found = func(is, want string, values ...any) {
				found(l.StoreKey, l.CustomerID, fmt.Sprintf(is, values...), want)
			}
			if r.t.ID == "" {
				l.readOpen(r.open, r.held)
				return
			}
			l.found("transfers without an account", "an account for every transfer")
		}
		l.add(&r)
	}, ledgerQuery)
	end()
	return err
}

// ledger is the account of one customer, with all transfers.
type ledger struct {
	Account
	carried   History
	transfers map[string]*Transfer
	now       time.Time
	found     func(is, want string, values ...any)
}

func (l *ledger) readOpen(open, held string) {
	if err := json.Unmarshal([]byte(open), &l.stored); err != nil {
		l.found("the open lots %q", "JSON", open)
	}
	if err := json.Unmarshal([]byte(held), &l.holds); err != nil {
		l.found("the holds %q", "JSON", held)
	}
}

func (l *ledger) add(r *ledgerRow) {
	if err := json.Unmarshal([]byte(r.taken), &r.t.Lots); err != nil {
		l.found("transfer %s: lots %q", "JSON", r.t.ID, r.taken)
	}
	t := r.t
	l.transfers[t.ID] = &t
}

func (l *ledger) check() {
	l.checkChain()
	l.checkSpends()
	l.checkHolds()
	l.checkOpen()
	l.checkSums()
}

// checkChain follows the linked list of transfers backwards from the account.
func (l *ledger) checkChain() {
	if n := int64(len(l.transfers)); l.Transfers != n {
		l.found("the account counts %d transfers", fmt.Sprint(n), l.Transfers)
	}
	id, steps := l.LastTransferID, 0
	for ; id != "" && steps <= len(l.transfers); steps++ {
		t := l.transfers[id]
		if t == nil {
			l.found("the list leads to the transfer %s", "one of the customer's", id)
			return
		}
		id = t.PreviousID
	}
	if steps != len(l.transfers) {
		l.found("the list from the account backwards has %d transfers", fmt.Sprint(len(l.transfers)), steps)
	}
}

// checkSpends subtracts spends from the lots that they name, and sets Available of each lot to the rest.
func (l *ledger) checkSpends() {
	for _, t := range l.transfers {
		t.Available = t.Value - t.Lapsed
	}
	for _, id := range slices.Sorted(maps.Keys(l.transfers)) {
		t := l.transfers[id]
		if t.IsLot() {
			continue
		}
		sum := Amount(0)
		for _, part := range t.Lots {
			sum += Amount(part.Amount)
			lot := l.transfers[part.LotID]
			switch {
			case lot == nil || !lot.IsLot():
				l.found("transfer %s took from %s", "a lot of the customer", id, part.LotID)
			case t.State != Canceled:
				lot.Available -= Amount(part.Amount)
			}
		}
		if sum != t.Value {
			l.found("transfer %s took %s out of lots", t.Value.String(), id, sum)
		}
	}
}

// checkHolds subtracts what reservations hold from the lots, and compares what they know of closed lots.
func (l *ledger) checkHolds() {
	for _, h := range l.holds {
		for _, part := range h.Parts {
			lot := l.transfers[part.LotID]
			if lot == nil || !lot.IsLot() || part.Amount <= 0 {
				l.found("reservation %s holds %d of %s", "a part of a lot of the customer", h.ID, part.Amount, part.LotID)
				continue
			}
			lot.Available -= Amount(part.Amount)
			is, want := part.Closed, (*closedLot)(nil)
			if !lot.Open {
				want = &closedLot{lot.Type, lot.State, int64(lot.Lapsed), 0, micro(lot.ExpiresAt)}
			}
			if (is == nil) != (want == nil) || is != nil &&
				(is.Type != want.Type || is.State != want.State || is.Lapsed != want.Lapsed || is.ExpiresAt != want.ExpiresAt) {
				l.found("reservation %s knows of lot %s: %v", fmt.Sprint(want), h.ID, part.LotID, is)
			}
		}
	}
}

func (l *ledger) isHeld(lotID string) bool {
	return slices.ContainsFunc(l.holds, func(h hold) bool {
		return slices.ContainsFunc(h.Parts, func(part heldPart) bool { return part.LotID == lotID })
	})
}

// checkOpen compares the open lots of the account with the transfers.
func (l *ledger) checkOpen() {
	listed := map[string]bool{}
	for _, o := range l.stored {
		t := l.transfers[o.ID]
		if t == nil || !t.Open || listed[o.ID] {
			l.found("the account holds the lot %s", "open lots of the customer, each once", o.ID)
			continue
		}
		listed[o.ID] = true
		has := l.openLot(o)
		if has.Type != t.Type || has.State != t.State || !has.ExpiresAt.Equal(t.ExpiresAt) ||
			has.State == Pending && !has.LockedUntil.Equal(t.LockedUntil) {
			l.found("the account says of lot %s: %s, %s, expires %v, locked until %v", fmt.Sprintf(
				"%s, %s, %v, %v", t.Type, t.State, t.ExpiresAt, t.LockedUntil),
				o.ID, has.Type, has.State, has.ExpiresAt, has.LockedUntil)
		}
		if has.Available != t.Available || has.Available <= 0 && !l.isHeld(o.ID) {
			l.found("the account holds %s of lot %s", t.Available.String(), has.Available, o.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(l.transfers)) {
		t := l.transfers[id]
		switch {
		case t.Open && !listed[id]:
			l.found("lot %s is open but not in the account", "both or none", id)
		case t.IsLot() && !t.Open && t.State != Canceled && t.Available != 0:
			l.found("lot %s is closed with %s left", "0", id, t.Available)
		case t.IsLot() && t.Available < 0:
			l.found("lot %s has %s left", "0 or more", id, t.Available)
		}
	}
}

// checkSums compares the sums of the account with its transfers.
func (l *ledger) checkSums() {
	want := Account{Earned: l.carried.Earned, Used: l.carried.Used, Expired: l.carried.Expired}
	for _, o := range l.stored {
		lot := l.openLot(o)
		if due := lot.due(); !due.IsZero() && (want.NextDueAt.IsZero() || due.Before(want.NextDueAt)) {
			want.NextDueAt = due
		}
		switch {
		case lot.State == Pending:
			want.Locked += lot.Available
		case lot.Type == P2PAdding:
			want.P2P += lot.Available
			want.Points += lot.Available
		default:
			want.Points += lot.Available
		}
	}
	for i := range l.holds {
		h := &l.holds[i]
		want.Blocked += h.points()
		if ends := moment(h.EndsAt); want.NextDueAt.IsZero() || ends.Before(want.NextDueAt) {
			want.NextDueAt = ends
		}
	}
	for _, t := range l.transfers {
		switch {
		case t.State == Expired:
			want.Expired += t.Lapsed
		case t.State == Canceled:
			continue
		}
		switch of := typeOf(t); {
		case of == nil:
			l.found("transfer %s has the type %q", "one of "+strings.Join(typeNames(), ", "), t.ID, t.Type)
		case of.total != nil:
			*of.total(&want) += t.Value
		}
	}
	for _, sum := range []struct {
		name     string
		is, want Amount
	}{
		{"points", l.Points, want.Points}, {"p2p", l.P2P, want.P2P}, {"earned", l.Earned, want.Earned},
		{"used", l.Used, want.Used}, {"expired", l.Expired, want.Expired}, {"locked", l.Locked, want.Locked},
		{"blocked", l.Blocked, want.Blocked},
	} {
		if sum.is != sum.want || sum.is < 0 {
			l.found("%s %s", sum.want.String()+", what the transfers add up to", sum.name, sum.is)
		}
	}
	if !want.NextDueAt.IsZero() && (l.NextDueAt.IsZero() || l.NextDueAt.After(want.NextDueAt)) {
		l.found("looked at again at %v", fmt.Sprintf("%v at the latest", want.NextDueAt), l.NextDueAt)
	}
}
