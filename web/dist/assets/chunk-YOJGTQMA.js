import{a,b}from"/assets/chunk-LT3L6HAV.js";import"/assets/chunk-WB6DQGP4.js";import"/assets/chunk-Y3VBKVHC.js";import"/assets/chunk-RYCC6Z2V.js";export{b as default,a as nameOf};
