import{a,b}from"/assets/chunk-4CWFOWCZ.js";import"/assets/chunk-HA3TIGY3.js";import"/assets/chunk-PPP4EQUA.js";export{b as default,a as nameOf};
