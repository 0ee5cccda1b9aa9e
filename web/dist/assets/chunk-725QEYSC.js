import{a,b,c}from"/assets/chunk-F2DBFTYU.js";import"/assets/chunk-7PHTGO6K.js";import"/assets/chunk-KQ7I5MM4.js";export{c as default,b as earned,a as grossOf};
