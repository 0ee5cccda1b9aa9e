import{a,b}from"/assets/chunk-IGCMO2CV.js";import"/assets/chunk-WRIJKQYZ.js";import"/assets/chunk-YTPOQPTO.js";export{b as default,a as nameOf};
