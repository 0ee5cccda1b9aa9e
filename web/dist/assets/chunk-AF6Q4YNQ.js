import{a,b,c}from"/assets/chunk-X7HO75G5.js";import"/assets/chunk-T622VM7N.js";import"/assets/chunk-NCMPPXTN.js";export{c as default,b as earned,a as grossOf};
