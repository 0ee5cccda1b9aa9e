import{C as e}from"/assets/chunk-Z5KS3FNS.js";function a(t){return[t.firstName,t.lastName].filter(Boolean).join(" ")||t.email||t.phone||t.loyaltyCardNumber||e("customers.unnamed")}export{a};
