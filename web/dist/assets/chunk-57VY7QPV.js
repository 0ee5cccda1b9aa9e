import{A as e,D as t,Y as r}from"/assets/chunk-L5CIOFBH.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
