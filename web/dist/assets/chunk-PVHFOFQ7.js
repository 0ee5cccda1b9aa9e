import{a,b}from"/assets/chunk-NBPEFU6V.js";import"/assets/chunk-UZFUKZ5R.js";import"/assets/chunk-IV5NKHXA.js";export{b as default,a as nameOf};
