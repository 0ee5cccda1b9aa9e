import{a,b,c}from"/assets/chunk-6VWN7KYM.js";import"/assets/chunk-UZFUKZ5R.js";import"/assets/chunk-IV5NKHXA.js";export{c as default,b as earned,a as grossOf};
