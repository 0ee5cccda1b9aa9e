import{a,b}from"/assets/chunk-BA2WXNKK.js";import"/assets/chunk-MNEY4C43.js";import"/assets/chunk-WO5KITB3.js";import"/assets/chunk-RZ2NAQI2.js";export{b as default,a as nameOf};
