import{a,b,c}from"/assets/chunk-HF2HX4KN.js";import"/assets/chunk-OT5IBVMU.js";import"/assets/chunk-MW2H7VTL.js";export{c as default,b as earned,a as grossOf};
