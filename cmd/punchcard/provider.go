package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"punchcard/loyalty/cashback/simulator"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

type simulateProvider struct {
	Listen         string `default:"127.0.0.1:8090" help:"Address to listen on."`
	Server         string `default:"http://127.0.0.1:8080" help:"Address of the server to call back."`
	Key            string `required:"" help:"Permanent key for the callbacks, such as the server's --master-key."`
	Secret         string `required:"" help:"The store's cashbackProviderSecret."`
	CallbackSecret string `help:"The store's cashbackCallbackSecret, if it has one."`
	RejectAll      bool   `help:"Reject every order; by default only amounts that end with .13 are rejected."`
}

// headerTimeout limits the time for reading the headers of a request.
const headerTimeout = 10 * time.Second

func (s *simulateProvider) Run(ctx context.Context) error {
	client := outbound.NewClient(outbound.Config{Reach: outbound.Private, Agent: "Punchcard-simulator", Clock: time.Now})
	defer client.Close()
	provider := &simulator.Provider{
		Server: s.Server, Key: s.Key, Secret: s.Secret, CallbackSecret: s.CallbackSecret, RejectAll: s.RejectAll,
		Client: client, Clock: time.Now, NewID: db.NewID,
		Report: func(o simulator.Order, err error) {
			fmt.Fprintln(os.Stderr, "order", o.OrderID, "of", o.Amount, o.Currency, "called back, error:", err)
		},
	}
	listener, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return err
	}
	if _, err := fmt.Printf("the provider simulator listens on http://%s\n", listener.Addr()); err != nil {
		return err
	}
	server := &http.Server{Handler: provider, ReadHeaderTimeout: headerTimeout}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if err := server.Shutdown(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
