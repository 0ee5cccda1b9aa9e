import{M as e}from"/assets/chunk-FFG36N2F.js";function a(t){return[t.firstName,t.lastName].filter(Boolean).join(" ")||t.email||t.phone||t.loyaltyCardNumber||e("customers.unnamed")}export{a};
