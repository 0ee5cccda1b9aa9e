// Package simulator is a payment provider for tests and demonstrations. It moves no money.
package simulator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"punchcard/platform/outbound"
)

// Provider accepts the signed payment orders of the platform and calls back at once with the result:
// paid, or rejected if the amount ends with .13. It is stateless, so a repeated order causes a
// repeated callback.
type Provider struct {
	Server         string // base address of the platform, such as http://127.0.0.1:8080
	Key            string // permanent key of an administrator who may change campaigns
	Secret         string // verifies orders: cashbackProviderSecret of the store
	CallbackSecret string // signs callbacks: cashbackCallbackSecret of the store; may be empty
	RejectAll      bool

	Client *outbound.Client
	Clock  func() time.Time
	NewID  func() string
	Report func(Order, error) // receives the result of each callback
}

// Order is a payment order of the platform.
type Order struct {
	RequestGUID string      `json:"requestGuid"`
	OrderID     string      `json:"orderId"`
	Amount      json.Number `json:"amount"`
	Currency    string      `json:"currency"`
	Metadata    struct {
		StoreCode string `json:"storeCode"`
	} `json:"metadata"`
}

// maxMessageBytes is far more than the size of an order.
const maxMessageBytes = 64 << 10

// ServeHTTP accepts an order. The response is flushed before the callback is made.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessageBytes))
	if err != nil {
		http.Error(w, "the message is too long, or broke off", http.StatusBadRequest)
		return
	}
	if !outbound.Verify(r.Header, body, p.Clock(), p.Secret) {
		http.Error(w, "the signature is not valid", http.StatusUnauthorized)
		return
	}
	var o Order
	if err := json.Unmarshal(body, &o); err != nil || o.OrderID == "" || o.Metadata.StoreCode == "" {
		http.Error(w, "the message is no order", http.StatusUnprocessableEntity)
		return
	}
	const taken = `{"statusCode":"ACCEPTED"}`
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(taken)))
	w.WriteHeader(http.StatusAccepted)
	_, err = io.WriteString(w, taken)
	if err = errors.Join(err, http.NewResponseController(w).Flush()); err == nil {
		err = p.CallBack(context.WithoutCancel(r.Context()), o)
	}
	p.Report(o, err)
}

// rejected is the end of amounts that are rejected.
const rejected = ".13"

// CallBack reports the result of an order to the platform.
func (p *Provider) CallBack(ctx context.Context, o Order) error {
	code, text := "SUCCESS", "paid"
	if p.RejectAll || strings.HasSuffix(o.Amount.String(), rejected) {
		code, text = "REJECTED", "the provider does not pay this amount"
	}
	content, err := json.Marshal(struct {
		Type        string         `json:"type"`
		RequestGUID string         `json:"requestGuid"`
		OrderID     string         `json:"orderId"`
		Status      string         `json:"status"`
		Code        string         `json:"statusCode"`
		Message     string         `json:"statusMessage"`
		Response    map[string]any `json:"response"`
		Metadata    any            `json:"metadata"`
	}{"cashback", o.RequestGUID, o.OrderID, code, code, text, map[string]any{}, o.Metadata})
	if err != nil {
		return err
	}
	header := http.Header{}
	if p.CallbackSecret != "" {
		if header, err = outbound.Sign(p.NewID(), p.Clock(), content, p.CallbackSecret); err != nil {
			return err
		}
	}
	header.Set("Content", string(content))
	header.Set("X-Auth-Token", p.Key)
	path := "/api/" + url.PathEscape(o.Metadata.StoreCode) + "/campaign/cashback/callback/payprovider"
	response, err := p.Client.Do(ctx, outbound.Call{URL: p.Server + path, Header: header})
	if err == nil && !response.OK() {
		err = fmt.Errorf("the platform answered %d: %s", response.Status, response.Body)
	}
	return err
}
