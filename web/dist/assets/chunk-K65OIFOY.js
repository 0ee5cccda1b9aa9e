import{a,b}from"/assets/chunk-YOJQVEQN.js";import"/assets/chunk-KYYKVMR5.js";import"/assets/chunk-MMFLCH6Z.js";export{b as default,a as nameOf};
