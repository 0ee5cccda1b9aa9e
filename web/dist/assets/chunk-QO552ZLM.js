import{a,b,c}from"/assets/chunk-LJIC4ZM2.js";import"/assets/chunk-V6DW6RK4.js";import"/assets/chunk-3G5OWOCY.js";export{c as default,b as earned,a as grossOf};
