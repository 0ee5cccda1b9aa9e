package segment

import (
	"encoding/json"
	"fmt"
	"strings"

	"punchcard/core/api"
)

// Criterion is one rule of a part.
type Criterion struct {
	ID     string
	Type   string // name of a CriterionType
	Fields any    // pointer to the fields of the type, such as *Anniversary
}

// criterionHead holds the JSON members that criteria of all types have.
type criterionHead struct {
	ID   string `json:"criterionId"`
	Type string `json:"type"`
}

// MarshalJSON encodes the fields of the type beside the id and the type.
func (c Criterion) MarshalJSON() ([]byte, error) {
	return api.Join(criterionHead{c.ID, c.Type}, c.Fields)
}

// Variants returns the types that criteria are encoded as, for the description of the API.
func (Criterion) Variants() (common any, further []any) {
	for _, kind := range kinds() {
		further = append(further, kind.empty())
	}
	return criterionHead{}, further
}

// storedParts decodes the parts of a segment. A criterion of an unknown type is an error.
type storedParts struct {
	to *[]Part
	by *Service
}

// UnmarshalJSON decodes the JSON of a []Part.
func (p storedParts) UnmarshalJSON(text []byte) error {
	var stored []struct {
		ID       string            `json:"segmentPartId"`
		Criteria []json.RawMessage `json:"criteria"`
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	*p.to = make([]Part, len(stored))
	for i, part := range stored {
		criteria := make([]Criterion, len(part.Criteria))
		for j, text := range part.Criteria {
			if err := p.by.decode(text, &criteria[j]); err != nil {
				return err
			}
		}
		(*p.to)[i] = Part{ID: part.ID, Criteria: criteria}
	}
	return nil
}

func (svc *Service) decode(text []byte, c *Criterion) error {
	var head criterionHead
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	kind, known := svc.byName[head.Type]
	if !known {
		return fmt.Errorf("criterion %s has the unknown type %q; known are %s",
			head.ID, head.Type, strings.Join(svc.names, ", "))
	}
	c.ID, c.Type, c.Fields = head.ID, head.Type, kind.empty()
	return json.Unmarshal(text, c.Fields)
}
