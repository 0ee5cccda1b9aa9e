import{a,b,c}from"/assets/chunk-P2EZ5GT4.js";import"/assets/chunk-5RKMCJRU.js";import"/assets/chunk-FFG36N2F.js";export{c as default,b as earned,a as grossOf};
