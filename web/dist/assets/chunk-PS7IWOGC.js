import{a,b,c}from"/assets/chunk-WG2OT5LF.js";import"/assets/chunk-HA3TIGY3.js";import"/assets/chunk-PPP4EQUA.js";export{c as default,b as earned,a as grossOf};
