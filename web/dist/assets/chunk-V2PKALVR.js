import{a,b,c}from"/assets/chunk-5ZVLAYCF.js";import"/assets/chunk-WRIJKQYZ.js";import"/assets/chunk-YTPOQPTO.js";export{c as default,b as earned,a as grossOf};
