import{a,b,c}from"/assets/chunk-ZS23FPWB.js";import"/assets/chunk-ZUBLBL4H.js";import"/assets/chunk-GNJZMK5Q.js";export{c as default,b as earned,a as grossOf};
