package customer

// Segment is a segment in the details of a customer.
type Segment struct {
	ID   string `json:"segmentId"`
	Name string `json:"name"`
}
