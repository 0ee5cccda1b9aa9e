import{a}from"/assets/chunk-FQ6WWRD3.js";import{Fa as i,U as o,ka as e,wa as s,za as r}from"/assets/chunk-NHD4K2SR.js";var c=`const { createHmac, timingSafeEqual } = require('crypto')

function isSigned(headers, body, secret) {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const wanted = createHmac('sha256', key)
    .update(id + '.' + time + '.' + body).digest()
  const fresh = Math.abs(Date.now() / 1000 - time) < 300
  return fresh && headers['webhook-signature'].split(' ')
    .map((one) => Buffer.from(one.slice(3), 'base64'))
    .some((one) => one.length === 32 && timingSafeEqual(one, wanted))
}`;function f({secret:n,onClose:t}){return e(a,{title:o("webhooks.secret"),onClose:t,wide:!0,children:e("div",{class:"stack",children:[e(r,{tone:"warning",title:o("webhooks.secretOnce"),children:o("webhooks.secretOnceHelp")}),e("div",{class:"new-secret",children:e(i,{text:n})}),e("details",{children:[e("summary",{children:o("webhooks.verify")}),e("div",{class:"stack",children:[e("p",{children:o("webhooks.verifyHelp")}),e("pre",{class:"json",tabIndex:0,"aria-label":o("webhooks.verify"),children:e("code",{children:c})})]})]}),e("footer",{children:e(s,{kind:"primary",onClick:t,children:o("webhooks.secretKept")})})]})})}export{f as a};
