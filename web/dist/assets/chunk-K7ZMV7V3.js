import{a,b,c}from"/assets/chunk-DUM77T6N.js";import"/assets/chunk-7Z3N2LTX.js";import"/assets/chunk-W6HWIKST.js";export{c as default,b as earned,a as grossOf};
