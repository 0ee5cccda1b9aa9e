import{a,b}from"/assets/chunk-TE755HXP.js";import"/assets/chunk-7Z3N2LTX.js";import"/assets/chunk-W6HWIKST.js";export{b as default,a as nameOf};
