import{a,b}from"/assets/chunk-YG2IFRAN.js";import"/assets/chunk-DQTWY7SI.js";import"/assets/chunk-JJDEO4Y6.js";export{b as default,a as nameOf};
