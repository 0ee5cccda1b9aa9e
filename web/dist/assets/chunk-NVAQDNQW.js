import{A as e,D as t,Y as o}from"/assets/chunk-L5CIOFBH.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
