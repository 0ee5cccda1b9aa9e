package level

import (
	"fmt"
	"strings"

	"punchcard/access"
	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/store"
)

// Endpoints are those of program-api group D that exist so far.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Levels, access.View)
	modify := access.AdministratorWith(access.Levels, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/level", Access: view, Handle: list},
		{Method: "POST", Path: "/api/{storeCode}/level", Access: modify, Handle: create},
		{Method: "POST", Path: "/api/{storeCode}/level/create", Access: modify, Handle: create},
		{Method: "GET", Path: "/api/{storeCode}/level/{level}", Access: view, Handle: get},
	}
}

type view struct {
	LevelID        string              `json:"levelId"`
	ID             string              `json:"id"`
	Name           string              `json:"name,omitempty"`
	Description    string              `json:"description,omitempty"`
	Translations   []Translation       `json:"translations"`
	Active         bool                `json:"active"`
	HasPhoto       bool                `json:"hasPhoto"`
	ConditionValue decimal.Hundredths  `json:"conditionValue"`
	MinOrder       decimal.Hundredths  `json:"minOrder"`
	Reward         rewardView          `json:"reward"`
	SpecialRewards []specialRewardView `json:"specialRewards"`
	CustomersCount int64               `json:"customersCount"`
}

type rewardView struct {
	Name  string  `json:"name"`
	Code  string  `json:"code"`
	Value percent `json:"value"`
}

type specialRewardView struct {
	ID string `json:"id"`
	rewardView
	Active    bool    `json:"active"`
	CreatedAt string  `json:"createdAt"`
	StartAt   *string `json:"startAt,omitempty"`
	EndAt     *string `json:"endAt,omitempty"`
}

// percent is hundredths of a percent, shown as a fraction: 7.5 % as 0.075.
type percent decimal.Hundredths

// MarshalJSON implements json.Marshaler.
func (p percent) MarshalJSON() ([]byte, error) {
	text := fmt.Sprintf("%d.%04d", p/10_000, p%10_000) // rewards are never negative
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

func viewOf(s *store.Store, locale api.Locale, l *Level) view {
	v := view{
		LevelID: l.ID, ID: l.ID, Name: l.Name(locale), Description: l.Description(locale),
		Translations: append([]Translation{}, l.Translations...), Active: l.Active,
		ConditionValue: l.ConditionValue, MinOrder: l.MinOrder,
		Reward:         rewardView{l.Reward.Name, l.Reward.Code, percent(l.Reward.Value)},
		SpecialRewards: []specialRewardView{}, CustomersCount: l.Customers,
	}
	for _, r := range l.SpecialRewards {
		v.SpecialRewards = append(v.SpecialRewards, specialRewardView{
			ID: r.ID, rewardView: rewardView{r.Reward.Name, r.Reward.Code, percent(r.Reward.Value)}, Active: r.Active,
			CreatedAt: api.Timestamp(r.CreatedAt, s.Zone),
			StartAt:   api.OptionalTimestamp(r.StartAt, s.Zone), EndAt: api.OptionalTimestamp(r.EndAt, s.Zone),
		})
	}
	return v
}

func list(c *api.Call) error {
	asked, err := c.Asked()
	if err != nil {
		return err
	}
	answer := struct {
		Levels []view `json:"levels"`
		Total  int    `json:"total"`
	}{Levels: []view{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := page(tx, c.Store.Key, asked.OrderBy(sortable, "level_id"), asked.Limit, asked.Offset)
		for i := range found {
			answer.Levels = append(answer.Levels, viewOf(c.Store, asked.Locale, &found[i]))
		}
		answer.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func get(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var answer view
	err = c.Read(func(tx *db.Tx) error {
		levels, err := All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		l := Find(levels, c.PathValue("level"))
		if l == nil {
			return fault.ErrNotFound
		}
		answer = viewOf(c.Store, locale, l)
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func create(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return err
	}
	group := form.Read(body.Child("level"))
	draft := read(group, languages, c.Store)
	if err := group.Err(); err != nil {
		return err
	}
	var added *Level
	err = c.Write(func(tx *db.Tx) (err error) {
		added, err = Create(tx, c.Store, draft)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(struct {
		LevelID string `json:"levelId"`
		ID      string `json:"id"`
	}{added.ID, added.ID})
}

// textLimit is the length of a level's texts, in characters.
const textLimit = 255

func read(g *form.Group, languages store.Languages, s *store.Store) Level {
	var l Level
	texts := g.Group("translations")
	codes, valid := languages.With(g.Keys("translations"))
	if !valid {
		g.AddError("translations", form.NotValid)
	}
	for _, code := range codes {
		rules := []form.Rule{form.MaxLength(textLimit)}
		if code == languages.Default() {
			rules = append([]form.Rule{form.NotBlank}, rules...)
		}
		of := texts.Group(code)
		t := Translation{Locale: code, Name: of.Text("name", rules...), Description: of.Text("description")}
		if t.Name != "" || t.Description != "" {
			l.Translations = append(l.Translations, t)
		}
	}
	l.Active = g.Checkbox("active")
	l.ConditionValue = decimal.Hundredths(g.Decimal("conditionValue", 2, form.NotBlank, form.AtLeast(0)))
	l.MinOrder = decimal.Hundredths(g.Decimal("minOrder", 2, form.AtLeast(0)))
	l.Reward = readReward(g.Group("reward"))
	for _, entry := range g.Groups("specialRewards") {
		r := SpecialReward{Reward: readReward(entry), Active: entry.Checkbox("active")}
		r.StartAt, r.EndAt = entry.DateTime("startAt", s.Zone), entry.DateTime("endAt", s.Zone)
		if !r.EndAt.IsZero() && r.EndAt.Before(r.StartAt) {
			entry.AddError("endAt", form.NotValid)
		}
		l.SpecialRewards = append(l.SpecialRewards, r)
	}
	return l
}

func readReward(g *form.Group) Reward {
	return Reward{
		Name:  g.Text("name", form.NotBlank, form.MaxLength(textLimit)),
		Value: decimal.Hundredths(g.Decimal("value", 2, form.NotBlank, form.AtLeast(0))),
		Code:  g.Text("code", form.NotBlank, form.MaxLength(textLimit)),
	}
}
