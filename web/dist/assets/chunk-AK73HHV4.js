import{a,b}from"/assets/chunk-VHOMQO66.js";import"/assets/chunk-VJTN7IOO.js";import"/assets/chunk-ICWRLFY7.js";import"/assets/chunk-464LF4OK.js";export{b as default,a as leaveFor};
