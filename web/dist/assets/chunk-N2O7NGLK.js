import{a,b}from"/assets/chunk-UZRPSHPX.js";import"/assets/chunk-6CBFXCIV.js";import"/assets/chunk-5Y72NPSA.js";export{b as default,a as nameOf};
