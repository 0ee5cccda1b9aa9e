"""Client of the API of Punchcard, a loyalty platform. It needs the standard library only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Mapping, Optional

__all__ = ["Punchcard", "PunchcardError", "WebhookError", "verify_webhook"]

WEBHOOK_TOLERANCE = 300  # seconds


class PunchcardError(Exception):
    """An error that the server answered with, as RFC 9457 describes it."""

    def __init__(self, status: int, code: str, detail: str, errors: list, request_id: str):
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors  # of fields: detail, pointer, code
        self.request_id = request_id


class WebhookError(Exception):
    """A web hook whose signature does not fit, or whose time is too far off."""


class Punchcard:
    """Calls a server with the secret of a key for programs, or with the token of a log-in."""

    def __init__(self, url: str, token: str, store: str = "", retries: int = 4, longest_pause: float = 30.0,
                 timeout: float = 60.0, lenient: bool = False):
        self.url = url.rstrip("/")
        self.token = token
        self.store = store  # takes the place of {store} in paths
        self.retries = retries
        self.longest_pause = longest_pause  # seconds; a longer Retry-After ends the call
        self.timeout = timeout  # seconds
        self.lenient = lenient  # let the server ignore names that it does not know, instead of refusing them

    def get(self, path: str, **params: Any) -> Any:
        return self.call("GET", path, params)

    def post(self, path: str, body: Any = None, idempotency_key: str = "", **params: Any) -> Any:
        return self.call("POST", path, params, body, idempotency_key)

    def put(self, path: str, body: Any = None, idempotency_key: str = "", **params: Any) -> Any:
        return self.call("PUT", path, params, body, idempotency_key)

    def delete(self, path: str, idempotency_key: str = "", **params: Any) -> Any:
        return self.call("DELETE", path, params, None, idempotency_key)

    def call(self, method: str, path: str, params: Optional[Mapping[str, Any]] = None, body: Any = None,
             idempotency_key: str = "", headers: Optional[Mapping[str, str]] = None) -> Any:
        """Calls an operation. A write is repeated with its key only, so that it takes effect once."""
        sent = {
            "Accept": "application/problem+json, application/json;q=0.9, */*;q=0.8",
            "Authorization": "Bearer " + self.token,
            **({} if self.lenient else {"Prefer": "handling=strict"}),
            **(headers or {}),
        }
        if method != "GET":
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        data = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        return self._send(urllib.request.Request(self._address(path, params or {}), data, sent, method=method))

    def pages(self, path: str, rows: str, **params: Any) -> Iterator[Any]:
        """Reads a list row by row. rows is the member of its pages that has them, such as customers."""
        params = {"perPage": 100, **params, "page": 1}
        while True:
            found = self.get(path, **params)[rows]
            yield from found
            if len(found) < params["perPage"]:
                return
            params["page"] += 1

    def events(self, after: str = "0", wait: int = 20) -> Iterator[dict]:
        """Reads the events of the store after a cursor, in order, and waits for more without an end."""
        while True:
            page = self.call("GET", "/api/{store}/event", {"after": after, "perPage": 100},
                             headers={"Prefer": f"wait={wait}"})
            yield from page["events"]
            after = page["cursor"]

    def _address(self, path: str, params: Mapping[str, Any]) -> str:
        rest = {"store": self.store, **params}
        parts = []
        for part in path.split("/"):
            if part.startswith("{"):
                value = rest.pop(part[1:-1], "")
                if value == "":
                    raise TypeError(f"{path} needs {part[1:-1]}")
                part = urllib.parse.quote(str(value), safe="")
            parts.append(part)
        if "store" not in params:
            rest.pop("store", None)
        query = []
        for name, value in rest.items():
            if isinstance(value, (list, tuple)):
                query += [(name + "[]", str(one)) for one in value]
            elif isinstance(value, bool):
                query.append((name, "1" if value else "0"))
            elif value is not None:
                query.append((name, str(value)))
        return self.url + "/".join(parts) + ("?" + urllib.parse.urlencode(query) if query else "")

    def _send(self, request: urllib.request.Request) -> Any:
        tried = 0
        while True:
            pause = min(self.longest_pause, 0.25 * 2 ** tried) * random.uniform(0.5, 1)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    content = response.read()
                    if "json" in response.headers.get("Content-Type", ""):
                        return json.loads(content)
                    return content or None
            except urllib.error.HTTPError as refused:
                with refused:
                    after = refused.headers.get("Retry-After")
                    temporary = refused.code in (429, 502, 503, 504) or refused.code == 409 and after is not None
                    if after is not None and after.isdigit():
                        pause = float(after)
                    if not temporary or tried >= self.retries or pause > self.longest_pause:
                        raise _error(refused) from None
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                if tried >= self.retries:
                    raise
            time.sleep(pause)
            tried += 1


def _error(refused: urllib.error.HTTPError) -> PunchcardError:
    try:
        problem = json.loads(refused.read())
    except ValueError:
        problem = {}  # of a proxy
    return PunchcardError(refused.code, problem.get("code", ""), problem.get("detail", str(refused.reason)),
                          problem.get("errors", []),
                          problem.get("requestId", refused.headers.get("X-Request-Id", "")))


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes, now: Optional[float] = None) -> dict:
    """Checks the signature of a web hook, and returns its body as a dictionary.

    headers has the names in lower case. body is what was received, before it is parsed.
    """
    name, moment = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not name or not moment.isdigit() or abs((now or time.time()) - int(moment)) > WEBHOOK_TOLERANCE:
        raise WebhookError("the time of the web hook is too far off")
    key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret)
    mac = hmac.new(key, f"{name}.{moment}.".encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(mac).decode()
    for signature in headers.get("webhook-signature", "").split(" "):
        if hmac.compare_digest(signature.encode(), wanted.encode()):
            return json.loads(body)
    raise WebhookError("no signature of the web hook fits")
