import{a,b,c}from"/assets/chunk-NJMO4FG3.js";import"/assets/chunk-DQTWY7SI.js";import"/assets/chunk-JJDEO4Y6.js";export{c as default,b as earned,a as grossOf};
