import{M as e}from"/assets/chunk-RTIWG5M4.js";function a(t){return[t.firstName,t.lastName].filter(Boolean).join(" ")||t.email||t.phone||t.loyaltyCardNumber||e("customers.unnamed")}export{a};
