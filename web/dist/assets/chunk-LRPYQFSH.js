import{L as e}from"/assets/chunk-6ULXA7OC.js";function a(t){return[t.firstName,t.lastName].filter(Boolean).join(" ")||t.email||t.phone||t.loyaltyCardNumber||e("customers.unnamed")}export{a};
