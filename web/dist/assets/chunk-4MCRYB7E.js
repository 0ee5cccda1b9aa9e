import{a,b,c}from"/assets/chunk-T5PM7L6T.js";import"/assets/chunk-6CBFXCIV.js";import"/assets/chunk-5Y72NPSA.js";export{c as default,b as earned,a as grossOf};
