import{A as e,D as t,U as o}from"/assets/chunk-T3DIWBAJ.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
