"""Tries the installed client on the server that the environment names."""

import itertools
import os

from punchcard import Punchcard, PunchcardError, WebhookError, verify_webhook

shop = Punchcard(os.environ["PUNCHCARD_URL"], os.environ["PUNCHCARD_KEY"], store="DEFAULT")
place = {"pos": {"name": "Python", "identifier": "python-1", "location": {"street": "Quay", "address1": "1", "postal": "0150", "city": "Oslo", "province": "Oslo",
                         "country": "NO"}}}
first = shop.post("/api/{store}/pos", place, idempotency_key="python-client-1")
again = shop.post("/api/{store}/pos", place, idempotency_key="python-client-1")
assert first["posId"] == again["posId"], (first, again)
try:
    shop.post("/api/{store}/pos", {"pos": {"name": ""}})
    raise AssertionError("a wrong form is accepted")
except PunchcardError as refused:
    assert refused.status == 400 and refused.errors and refused.request_id, refused
rows = [row for row in shop.pages("/api/{store}/pos", "pos", perPage=2) if row["identifier"] == "python-1"]
assert len(rows) == 1, rows
events = list(itertools.islice(shop.events(), 3))
assert len(events) == 3 and [e["id"] for e in events] == sorted(e["id"] for e in events), events

secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
headers = {"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
           "webhook-signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}
assert verify_webhook(secret, headers, body, now=1614265330)["test"] == 2432232314
for wrong, moment in ((body + b" ", 1614265330), (body, 1614269000)):
    try:
        verify_webhook(secret, headers, wrong, now=moment)
        raise AssertionError("a wrong web hook is accepted")
    except WebhookError:
        pass
print("done")
