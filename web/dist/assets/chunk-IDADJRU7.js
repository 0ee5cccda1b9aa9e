import{a,b}from"/assets/chunk-QEAEKWG4.js";import"/assets/chunk-REQM352J.js";import"/assets/chunk-BADUXZM6.js";import"/assets/chunk-LLDVHTO3.js";export{b as default,a as nameOf};
