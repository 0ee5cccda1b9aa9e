import{A as e,D as t,Y as o}from"/assets/chunk-VLH5YQ34.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
